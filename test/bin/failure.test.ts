import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import test from 'ava'
import { readSettings } from '../../bin/composition.ts'
import { explain } from '../../bin/failure.ts'

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
async function refused(): Promise<unknown> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return once(connect(port, '127.0.0.1'), 'connect').catch((error: unknown) => error)
}

test('suggests another port if the port is in use', async t => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as { port: number }
  const second = createServer().listen(port, '127.0.0.1')
  const [error] = await once(second, 'error')
  holder.close()
  t.is(
    explain(error, {}),
    `port ${port} on 127.0.0.1 is already in use. Stop the other process or choose another port: PORT=${port + 1} larder start`,
  )
})

test('names METRICS_PORT if that port is in use or needs privileges', t => {
  const env = { PORT: '8080', METRICS_PORT: '9464' }
  const taken = coded('EADDRINUSE', { syscall: 'listen', address: '127.0.0.1', port: 9464 })
  t.regex(explain(taken, env), /^port 9464 on 127\.0\.0\.1 is already in use\..* another port: METRICS_PORT=9465 /)
  const low = coded('EACCES', { syscall: 'listen', address: '127.0.0.1', port: 64 })
  t.regex(explain(low, { ...env, METRICS_PORT: '64' }), /Choose port 1024 or higher: METRICS_PORT=9464 /)
})

test('names an unavailable address', t => {
  const error = coded('EADDRNOTAVAIL', { syscall: 'listen', address: '203.0.113.9', port: 8080 })
  t.regex(explain(error, {}), /address 203\.0\.113\.9 is not available.*HOST/)
})

test('names an unreachable database without its password', async t => {
  const env = { DATABASE_URL: 'postgres://owner:hunter2@db.test:6543/shop' }
  for (const error of [await refused(), new Error('no unit', { cause: coded('ENOTFOUND') }), coded('28P01')]) {
    const sentence = explain(error, env)
    t.regex(sentence, /can't connect to PostgreSQL at db\.test:6543\/shop: .+\. Check DATABASE_URL/)
    t.notRegex(sentence, /hunter2/)
  }
})

test('attributes a refused connection to the setting with that port', t => {
  const env = { DATABASE_URL: 'postgres://o:p@db.test/shop', REDIS_URL: 'redis://:secret@cache.test:6380' }
  const sentence = explain(coded('ECONNREFUSED', { port: 6380 }), env)
  t.regex(sentence, /server in REDIS_URL on port 6380/)
  t.notRegex(sentence, /secret/)
})

test('explains refused connections to several addresses of one host', t => {
  const error = new AggregateError([coded('ECONNREFUSED', { port: 5432 }), coded('ECONNREFUSED', { port: 5432 })], '')
  t.regex(
    explain(error, { DATABASE_URL: 'postgres://o:p@localhost/x' }),
    /can't connect to PostgreSQL at localhost:5432\/x: connection refused/,
  )
})

test('lists every invalid setting', t => {
  const error = t.throws(() => readSettings({ PORT: 'eighty', BUS: 'smoke' }))
  for (const word of ['PORT', 'BUS', 'larder doctor']) t.true(explain(error, {}).includes(word), word)
})

test('prints the message of other errors, and the stack only at debug level', t => {
  const error = new Error('make an OS user named postgres')
  t.is(explain(error, {}), 'make an OS user named postgres')
  t.regex(explain(error, { LOG_LEVEL: 'debug' }), /failure\.test/)
  t.is(explain('a string was thrown', {}), 'a string was thrown')
})
