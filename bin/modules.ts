import type { Command } from 'commander'
import type { ModuleReport } from '../kernel/contract/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { printResult, table } from './shell.ts'

interface Flags {
  recipe?: string
  json?: boolean
}

export function moduleCommands(program: Command): void {
  program
    .command('modules [recipe]')
    .description('list the modules of a recipe and what each registers')
    .option('-r, --recipe <file>', 'recipe file, as in other commands')
    .option('--json', 'print everything that each module registers as JSON')
    .action((recipe: string | undefined, flags: Flags) => show({ recipe, ...flags }, modulesTable))
  program
    .command('routes [recipe]')
    .description('list the routes of a recipe and who can call them')
    .option('-r, --recipe <file>', 'recipe file, as in other commands')
    .option('--json', 'print JSON')
    .action((recipe: string | undefined, flags: Flags) => show({ recipe, ...flags }, routesTable))
}

type Reports = readonly ModuleReport[]

/** Doesn't connect to the database. */
async function show(flags: Flags, view: (reports: Reports, json?: boolean) => string): Promise<void> {
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(flags.recipe, settings), process.env)
  const [{ describeRecipe }, { toolLog }] = await Promise.all([
    import('../kernel/runtime/index.ts'),
    import('./log.ts'),
  ])
  const reports = await describeRecipe({ checked, settings, log: toolLog(settings.logLevel) })
  printResult(view(reports, flags.json))
}

export function modulesTable(reports: Reports, json?: boolean): string {
  if (json) return JSON.stringify(reports, null, 2)
  const rows = reports.map(report => [
    report.name,
    report.version,
    String(report.routes.length),
    String(report.events.length),
    String(report.listeners.length),
    String(report.jobs.length),
    report.reason ? `failed: ${report.reason}` : report.summary,
  ])
  return table(['module', 'version', 'routes', 'events', 'listeners', 'jobs', ''], rows)
}

export function routesTable(reports: Reports, json?: boolean): string {
  const routes = reports.flatMap(({ name, routes, sockets, pages }) => [
    ...routes.map(route => ({ ...route, module: name })),
    ...sockets.map(socket => ({ ...socket, method: 'SOCKET', summary: '', module: name })),
    ...pages.map(page => ({ ...page, method: 'PAGE', summary: page.name, module: name })),
  ])
  if (json) return JSON.stringify(routes, null, 2)
  const rows = routes.map(({ method, path, allow, module, summary }) => [
    method,
    path,
    allow.join(' | '),
    module,
    summary,
  ])
  return table(['method', 'path', 'allow', 'module', ''], rows)
}
