/** A process of its own that serves requests, or sends webhooks, until it is killed. */
import { startWebhooks } from './fixtures.ts'

const [database = '', role = 'worker'] = process.argv.slice(2)
const { url } = await startWebhooks({ database, role: role as 'web' | 'worker' })
// A test that died leaves no process behind.
process.on('disconnect', () => process.exit())
process.send?.(url)
