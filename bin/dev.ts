/** `larder dev`: one front that holds the port, and behind it the kernel of the moment. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Settings } from '../kernel/index.ts'
import { liveFolders } from '../kernel/recipe/index.ts'
import { bootKernel, type Kernel } from '../kernel/runtime/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { createLive, type Live } from './dev-live.ts'
import { explain } from './failure.ts'
import { serverLog } from './log.ts'
import { recipeFile } from './recipe-file.ts'
import { report } from './report.ts'
import { complain, outliveReaders, showProgress, tell } from './shell.ts'
import { untilStopped } from './stop.ts'
import { foldersOf, isOfTheme, watch } from './watch.ts'

type Log = ReturnType<typeof serverLog>

export async function develop(recipe?: string): Promise<void> {
  outliveReaders()
  const settings = readSettings(process.env)
  const file = recipeFile(recipe, settings)
  const log = serverLog(settings.logLevel)
  let current: Kernel | undefined
  const live = createLive()
  const front = createFront(() => current, live)
  try {
    const stage = { file, settings, log, url: await hold(front, settings) }
    let running = await begin(stage)
    current = running
    let themes = liveFolders(running.checked)
    const watcher = watch(foldersOf(file, running.checked), async paths => {
      const changed = paths.find(path => !isOfTheme(path, themes))
      if (changed === undefined) {
        // A theme's files are read at each page: looking again is enough.
        tell(`${paths[0]} changed`)
        return live.tell()
      }
      const next = await begin(stage, changed).catch(error => keepOn(error))
      if (!next) return
      const before = running
      current = running = next
      themes = liveFolders(next.checked)
      watcher.follow(foldersOf(file, next.checked))
      live.tell()
      await before.stop()
    })
    await untilStopped(async () => {
      await watcher.stop()
      live.close()
      front.close()
      await running.stop()
    }, log)
  } finally {
    live.close()
    front.close()
    await log.close()
  }
}

/** Each request goes to the kernel that is current when it comes: none meets a closed port during a swap. */
function createFront(current: () => Kernel | undefined, live: Live): Server {
  const front = createServer((request, response) => {
    if (live.take(request, response)) return
    const kernel = current()
    if (kernel) kernel.ports.http.handle(request, response)
    else response.writeHead(503, { 'retry-after': '1' }).end()
  })
  return front.on('upgrade', (request, socket, head) => {
    const kernel = current()
    if (kernel) kernel.ports.http.upgrade(request, socket, head)
    else socket.destroy()
  })
}

function keepOn(error: unknown): undefined {
  complain(explain(error, process.env))
  tell('the running one goes on as it was')
}

interface Stage {
  readonly file: string
  readonly settings: Settings
  readonly log: Log
  /** Of the front. */
  readonly url: string
}

/** A whole kernel, made and working behind the front. `changed` is the file that made it necessary. */
async function begin({ file, settings, log, url }: Stage, changed?: string): Promise<Kernel> {
  const began = performance.now()
  const checked = await checkFile(file, process.env)
  const progress = await showProgress(changed ? `${changed} changed` : 'larder dev')
  let kernel: Kernel | undefined
  try {
    kernel = await bootKernel({
      checked,
      settings: { ...settings, publicUrl: settings.publicUrl ?? url },
      role: 'all',
      log,
      reload: true,
      onStep: progress.step,
    })
    await kernel.work()
    progress.done()
    tell(report(kernel, url, performance.now() - began))
    return kernel
  } catch (error) {
    progress.failed()
    await kernel?.stop()
    throw error
  }
}

async function hold(front: Server, { port, host }: Settings): Promise<string> {
  front.listen(port, host)
  await once(front, 'listening')
  const address = front.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return `http://${host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host}:${bound}`
}
