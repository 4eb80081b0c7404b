/**
 * Runs a kernel in a separate process, as the command line does, that logs to a file. Arguments: role, log file, recipe.
 * Answers the message `memory`.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { checkFile, readSettings } from '../bin/composition.ts'
import { createLogDestination } from '../bin/log-destination.ts'
import { bootKernel, type Role } from '../kernel/runtime/index.ts'

const [role = 'web', logFile = '/dev/null', recipe = ''] = process.argv.slice(2)
const settings = readSettings(process.env)
const log = pino({ level: 'info' }, createLogDestination(logFile))
const kernel = await bootKernel({ checked: await checkFile(recipe, process.env), settings, role: role as Role, log })
if (role === 'web') await kernel.serve()
if (role === 'worker') await kernel.work()
process.send?.({ url: role === 'web' ? kernel.ports.http.url : '' })
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
process.on('message', message => {
  if (message !== 'memory') return
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send?.({ heap: heapUsed + external, resident: rss })
})
process.on('disconnect', () => kernel.stop().then(() => process.exit(0)))
