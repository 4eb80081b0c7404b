import { once } from 'node:events'
import { createServer } from 'node:net'
import test from 'ava'
import { dataFolder, nodeVersion, portFree, server } from '../../bin/doctor/machine.ts'

async function listening() {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  return { holder, port: (holder.address() as { port: number }).port }
}

test('Node older than 20.19 fails', t => {
  t.deepEqual(
    ['18.20.0', '20.18.9', '20.19.0', '22.0.0'].map(version => nodeVersion(version).state),
    ['fail', 'fail', 'ok', 'ok'],
  )
})

test('a folder that does not exist yet is fine where it can be made', async t => {
  t.is((await dataFolder('/tmp/no/such/folder')).state, 'ok')
  t.is((await dataFolder('/etc/hostname/larder')).state, 'fail')
})

test('a taken port is a warning that says what to do', async t => {
  const { holder, port } = await listening()
  const taken = await portFree(port, '127.0.0.1')
  holder.close()
  t.is(taken.state, 'warn')
  t.regex(taken.fix ?? '', /PORT/)
  await once(holder, 'close')
  t.is((await portFree(port, '127.0.0.1')).state, 'ok')
})

test('a server is asked where its setting is set, and named without its password', async t => {
  t.deepEqual(await server('SMTP_URL', undefined, {}), [])
  const { holder, port } = await listening()
  const url = `smtp://me:hunter2@127.0.0.1:${port}`
  t.is((await server('SMTP_URL', url, { smtp: 25 }))[0]?.state, 'ok')
  holder.close()
  await once(holder, 'close')
  const [finding] = await server('SMTP_URL', url, { smtp: 25 })
  t.is(finding?.state, 'fail')
  t.notRegex(JSON.stringify(finding), /hunter2/)
})
