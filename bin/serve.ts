import type { Command } from 'commander'
import type { Kernel } from '../kernel/runtime/index.ts'
import { checkFile, describeVariable, readSettings, settingVariables } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { printWarnings } from './recipe-warnings.ts'
import { report } from './report.ts'
import { ignoreEpipe, printInfo, showProgress, table } from './shell.ts'
import { stopSignal, untilStopped } from './stop.ts'

type ProcessRole = 'all' | 'web' | 'worker'

export function serveCommands(program: Command): void {
  const command = (name: string, about: string, run: (recipe?: string) => Promise<void>) =>
    program.command(`${name} [recipe]`).description(about).addHelpText('after', settingsHelp).action(run)
  command('start', 'serve requests and process events and jobs', recipe => serve('all', recipe))
  command('web', 'serve requests only', recipe => serve('web', recipe))
  command('worker', 'process events and jobs only', recipe => serve('worker', recipe))
  command('dev', 'start, and reload when the recipe, the theme or a module changes', async recipe => {
    const { develop } = await import('./dev.ts')
    await develop(recipe)
  })
}

/** The environment variables that a process reads. Recipes can read others: `${NAME}`. */
const settingsHelp = (): string =>
  `\n${table(
    ['Environment variable', ''],
    settingVariables.map(variable => [variable.name, describeVariable(variable)]),
  )}`

async function serve(role: ProcessRole, recipe: string | undefined): Promise<void> {
  ignoreEpipe()
  const settings = readSettings(process.env)
  // Loads the kernel after this, so that errors in the recipe show at once.
  const checked = await checkFile(recipeFile(recipe, settings), process.env)
  printWarnings(checked)
  const progress = await showProgress(`larder ${role === 'all' ? 'start' : role}`)
  const [{ bootKernel }, { serverLog }] = await Promise.all([import('../kernel/runtime/index.ts'), import('./log.ts')])
  const log = serverLog(settings.logLevel)
  const signal = stopSignal(log, settings.shutdownDelayMs)
  let kernel: Kernel | undefined
  try {
    kernel = await bootKernel({ checked, settings, role, log, signal, onStep: progress.step })
    if (role !== 'worker') await kernel.serve()
    const url = role === 'worker' ? undefined : kernel.ports.http.url
    if (role !== 'web') await kernel.work()
    progress.done()
    const behindProxy = settings.trustProxy > 0 || settings.publicUrl !== undefined
    const { monitoringUrl } = kernel.ports.http
    printInfo(report(kernel, { url, monitoringUrl, behindProxy, elapsed: performance.now() }))
  } catch (error) {
    progress.failed()
    await kernel?.stop()
    await log.close()
    if (signal.aborted) process.exit(0)
    throw error
  }
  const running = kernel
  await untilStopped(() => running.stop(), log, signal)
}
