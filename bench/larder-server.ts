/** A kernel as a process of its own, logging to a file, for the benchmark to measure: role and log file by arguments. */
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { bootKernel, type Role } from '../kernel/kernel.ts'
import { checkFile } from '../kernel/recipe/check.ts'
import { readSettings } from '../kernel/settings.ts'

const [role = 'web', logFile = '/dev/null', recipe = fileURLToPath(new URL('./recipe.yaml', import.meta.url))] =
  process.argv.slice(2)
const settings = readSettings(process.env)
const log = pino({ level: 'info' }, pino.destination({ dest: logFile, sync: false, minLength: 4096 }))
const kernel = await bootKernel({ checked: await checkFile(recipe, process.env), settings, role: role as Role, log })
const url = role === 'web' || role === 'all' ? (await kernel.listen()).url : ''
if (role === 'worker' || role === 'all') await kernel.work()
process.send?.({ url })
process.on('disconnect', () => kernel.stop().then(() => process.exit(0)))
