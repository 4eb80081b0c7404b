/** `larder dev`: a server that holds the port and forwards requests to the current kernel. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Settings } from '../kernel/index.ts'
import { liveFolders, readRecipe } from '../kernel/recipe/index.ts'
import { bootKernel, type Kernel } from '../kernel/runtime/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { createHold, type Hold } from './dev-hold.ts'
import { createLiveReload, type LiveReload } from './dev-live.ts'
import { explain } from './failure.ts'
import { serverLog } from './log.ts'
import { recipeFile } from './recipe-file.ts'
import { printWarnings } from './recipe-warnings.ts'
import { report } from './report.ts'
import { ignoreEpipe, printError, printInfo, showProgress } from './shell.ts'
import { stopSignal, untilStopped } from './stop.ts'
import { isThemeFile, pathsOf, watchPaths } from './watch.ts'

type Log = ReturnType<typeof serverLog>

export async function develop(recipe?: string): Promise<void> {
  ignoreEpipe()
  const settings = readSettings(process.env)
  const file = recipeFile(recipe, settings)
  const log = serverLog(settings.logLevel)
  const signal = stopSignal(log)
  let current: Kernel | undefined
  const live = createLiveReload()
  const hold = createHold()
  const front = createFront(() => current, hold, live)
  const paths = (themes: readonly string[]) => pathsOf(readRecipe(file, process.env), themes)
  // Before the kernel, so that files saved during its start cause a reload.
  const watcher = await watchPaths(paths([]))
  try {
    const server = { file, settings, log, signal, url: await listen(front, settings) }
    let running = await startKernel(server)
    current = running
    hold.release()
    let themes = liveFolders(running.checked)
    watcher.follow(paths(themes))
    watcher.start(async changes => {
      const changed = changes.find(path => !isThemeFile(path, themes))
      if (changed === undefined) {
        // The kernel reads theme files for each page, so a reload of the browser is enough.
        printInfo(`${changes[0]} changed`)
        return live.reload()
      }
      hold.start()
      const next = await startKernel(server, changed).catch(error => reportFailure(error))
      const before = running
      if (next) current = running = next
      hold.release()
      themes = liveFolders(running.checked)
      // After a failure too: the recipe may name new files that have the mistake.
      watcher.follow(paths(themes))
      if (!next) return
      live.reload()
      await before.stop()
    })
    await untilStopped(
      async () => {
        await watcher.stop()
        live.close()
        front.close()
        await running.stop()
      },
      log,
      signal,
    )
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await watcher.stop()
    live.close()
    front.close()
    await log.close()
  }
}

/** The port stays open while kernels are swapped. */
function createFront(current: () => Kernel | undefined, hold: Hold, live: LiveReload): Server {
  const front = createServer((request, response) => {
    if (live.handle(request, response)) return
    hold.pass(request.socket, () => current()?.ports.http.handle(request, response))
  })
  return front.on('upgrade', (request, socket, head) =>
    hold.pass(socket, () => current()?.ports.http.upgrade(request, socket, head)),
  )
}

function reportFailure(error: unknown): undefined {
  printError(explain(error, process.env))
  printInfo('The previous version is still running.')
}

interface DevServer {
  readonly file: string
  readonly settings: Settings
  readonly log: Log
  readonly signal: AbortSignal
  /** The address of the port that this process holds. */
  readonly url: string
}

/** @param changed the file that caused the restart. */
async function startKernel({ file, settings, log, signal, url }: DevServer, changed?: string): Promise<Kernel> {
  const startedAt = performance.now()
  const checked = await checkFile(file, process.env)
  printWarnings(checked)
  const progress = await showProgress(changed ? `${changed} changed` : 'larder dev')
  let kernel: Kernel | undefined
  try {
    kernel = await bootKernel({
      checked,
      // The next kernel starts before this one stops, and both can't have a port of their own: /metrics is at PORT.
      settings: { ...settings, publicUrl: settings.publicUrl ?? url, metricsPort: undefined },
      role: 'all',
      log,
      signal,
      reload: true,
      onStep: progress.step,
    })
    await kernel.work()
    progress.done()
    printInfo(report(kernel, { url, behindProxy: false, elapsed: performance.now() - startedAt }))
    return kernel
  } catch (error) {
    progress.failed()
    await kernel?.stop()
    throw error
  }
}

async function listen(front: Server, { port, host }: Settings): Promise<string> {
  front.listen(port, host)
  await once(front, 'listening')
  const address = front.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return `http://${host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host}:${bound}`
}
