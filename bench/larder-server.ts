/** Runs a kernel in a separate process, as the command line does, that logs to a file. Arguments: role, log file, recipe. */

import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { checkFile, readSettings } from '../bin/composition.ts'
import { createLogDestination } from '../bin/log-destination.ts'
import { bootKernel, type Role } from '../kernel/runtime/index.ts'

const [role = 'web', logFile = '/dev/null', recipe = fileURLToPath(new URL('./recipe.yaml', import.meta.url))] =
  process.argv.slice(2)
const settings = readSettings(process.env)
const log = pino({ level: 'info' }, createLogDestination(logFile))
const kernel = await bootKernel({ checked: await checkFile(recipe, process.env), settings, role: role as Role, log })
const serves = role === 'web' || role === 'all'
if (serves) await kernel.serve()
const url = serves ? kernel.ports.http.url : ''
if (role === 'worker' || role === 'all') await kernel.work()
process.send?.({ url })
process.on('disconnect', () => kernel.stop().then(() => process.exit(0)))
