/** `larder dev`: one front that holds the port, and behind it the kernel of the moment. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { bootKernel, type Kernel } from '../kernel/kernel.ts'
import { readSettings, type Settings } from '../kernel/settings.ts'
import { explain } from './failure.ts'
import { serverLog } from './log.ts'
import { recipeFile } from './recipe-file.ts'
import { report } from './report.ts'
import { complain, showProgress, tell } from './shell.ts'
import { untilStopped } from './stop.ts'
import { foldersOf, watch } from './watch.ts'

type Log = ReturnType<typeof serverLog>

export async function develop(recipe?: string): Promise<void> {
  const settings = readSettings(process.env)
  const file = recipeFile(recipe, settings)
  const log = serverLog(settings.logLevel)
  let current: Kernel | undefined
  // Each request goes to the kernel that is current when it comes: none meets a closed port during a swap.
  const front = createServer((request, response) =>
    current ? current.http.handle(request, response) : response.writeHead(503, { 'retry-after': '1' }).end(),
  )
  front.on('upgrade', (request, socket, head) =>
    current ? current.http.upgrade(request, socket, head) : socket.destroy(),
  )
  try {
    const url = await hold(front, settings)
    current = await begin({ file, settings, log, url })
    const watcher = watch(foldersOf(file, current.checked), async changed => {
      const before = current
      try {
        current = await begin({ file, settings, log, url, changed })
        watcher.follow(foldersOf(file, current.checked))
        await before?.stop()
      } catch (error) {
        complain(explain(error, process.env))
        tell('the running one goes on as it was')
      }
    })
    await untilStopped(async () => {
      await watcher.stop()
      front.close()
      await current?.stop()
    }, log)
  } finally {
    front.close()
    log.close()
  }
}

interface Beginning {
  file: string
  settings: Settings
  log: Log
  url: string
  /** The file that changed. */
  changed?: string
}

/** A whole kernel, made and working behind the front. */
async function begin({ file, settings, log, url, changed }: Beginning): Promise<Kernel> {
  const began = performance.now()
  const progress = await showProgress(changed ? `${changed} changed` : 'larder dev')
  let kernel: Kernel | undefined
  try {
    kernel = await bootKernel({
      recipe: file,
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
