import type { Command } from 'commander'
import type { ModuleReport } from '../kernel/contract/index.ts'
import type { Ports } from '../kernel/index.ts'
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
    .action((recipe: string | undefined, flags: Flags) =>
      show({ recipe, ...flags }, ({ inspector }) => modulesTable(inspector.modules(), flags.json)),
    )
  program
    .command('routes [recipe]')
    .description('list the routes of a recipe and who can call them')
    .option('-r, --recipe <file>', 'recipe file, as in other commands')
    .option('--json', 'print JSON')
    .action((recipe: string | undefined, flags: Flags) =>
      show({ recipe, ...flags }, ports => routesTable(ports.inspector.modules(), serviceSockets(ports), flags.json)),
    )
}

type Reports = readonly ModuleReport[]

/** Doesn't connect to the database. */
async function show(flags: Flags, view: (ports: Readonly<Ports>) => string): Promise<void> {
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(flags.recipe, settings), process.env)
  const [{ inspectRecipe }, { toolLog }] = await Promise.all([import('../kernel/runtime/index.ts'), import('./log.ts')])
  printResult(await inspectRecipe({ checked, settings, log: toolLog(settings.logLevel) }, view))
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

type Socket = Pick<ReturnType<Ports['http']['endpoints']>[number], 'module' | 'path' | 'allow' | 'summary'>

/** Services are in no report: the socket of all topics is one of theirs. */
function serviceSockets({ http, inspector }: Readonly<Ports>): Socket[] {
  const modules = inspector.modules().map(({ name }) => name)
  return http.endpoints().filter(({ kind, module }) => kind === 'socket' && !modules.includes(module))
}

export function routesTable(reports: Reports, sockets: readonly Socket[], json?: boolean): string {
  const ofServices = sockets.map(({ path, allow, module, summary = '' }) => {
    return { method: 'SOCKET', path, allow, summary, module }
  })
  const ofModules = reports.flatMap(({ name, routes, sockets, pages }) => [
    ...routes.map(route => ({ ...route, module: name })),
    ...sockets.map(socket => ({ ...socket, method: 'SOCKET', summary: '', module: name })),
    ...pages.map(page => ({ ...page, method: 'PAGE', summary: page.name, module: name })),
  ])
  const routes = [...ofServices, ...ofModules]
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
