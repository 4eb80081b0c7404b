import test from 'ava'
import { maxDuration, relayOf, standardTtl } from '../../../modules/sessions/options.ts'

test('a session waits an hour, a stream twelve, unless the recipe says otherwise', t => {
  t.is(standardTtl({}, 'screenshare'), 3600)
  t.is(standardTtl({}, 'stream'), 43200)
  t.is(standardTtl({ ttl: { stream: '2d' } }, 'stream'), 172_800)
  t.is(standardTtl({ ttl: { stream: '2d' } }, 'screenshare'), 3600)
})

test('no recipe makes a session wait longer than its creator could ask for, or less than a second', t => {
  t.is(standardTtl({ ttl: { screenshare: '2d' } }, 'screenshare'), 86400)
  t.is(standardTtl({ ttl: { stream: '30d' } }, 'stream'), 604_800)
  t.is(standardTtl({ ttl: { screenshare: '10ms' } }, 'screenshare'), 1)
})

test('a session has no longest duration unless the recipe gives one', t => {
  t.is(maxDuration({}), undefined)
  t.is(maxDuration({ maxDuration: '90m' }), 5_400_000)
})

test('the relay is the public host unless the recipe names another', t => {
  t.deepEqual(relayOf({}, { publicUrl: 'https://live.test:8443/a' }), { relay_host: 'live.test', relay_udp_port: 7000 })
  t.deepEqual(relayOf({ relay: { host: 'r.test', udpPort: 9 } }, { publicUrl: 'https://live.test' }), {
    relay_host: 'r.test',
    relay_udp_port: 9,
  })
})
