import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { iceUrls, maxDuration, relayOf, SessionsOptions, standardTtl } from '../../../modules/sessions/options.ts'

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
  t.is(relayOf({ relay: { host: '' } }, { publicUrl: 'https://live.test' }).relay_host, 'live.test')
})

test('servers are a list, or a text with commas as an environment variable holds it, or none', t => {
  const both = ['stun:a.test:3478', 'turn:a.test:3478?transport=udp']
  t.deepEqual(iceUrls({ turn: { urls: both } }), both)
  t.deepEqual(iceUrls({ turn: { urls: both.join(' , ') } }), both)
  for (const none of [{}, { turn: {} }, { turn: { urls: '' } }, { turn: { urls: [] } }]) t.deepEqual(iceUrls(none), [])
})

test('what is no address of a server is refused', t => {
  const check = new Ajv2020({ strict: false }).compile(SessionsOptions)
  for (const urls of ['', 'stun:a', 'stun:a, turns:b:5349?transport=tcp', ['turn:a'], []])
    t.true(check({ turn: { urls } }), JSON.stringify(urls))
  for (const urls of ['a.test', 'stun:a,', 'stun:a turn:b', ['stun:a', 'http://b'], [''], 7])
    t.false(check({ turn: { urls } }), JSON.stringify(urls))
})
