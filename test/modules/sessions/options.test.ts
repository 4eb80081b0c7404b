import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import {
  defaultTtlSeconds,
  iceUrls,
  maxDurationMs,
  relayEndpoint,
  SessionsOptions,
} from '../../../modules/sessions/options.ts'

test('the TTL defaults to 1 h for a screen share and 12 h for a stream', t => {
  t.is(defaultTtlSeconds({}, 'screenshare'), 3600)
  t.is(defaultTtlSeconds({}, 'stream'), 43200)
  t.is(defaultTtlSeconds({ ttl: { stream: '2d' } }, 'stream'), 172_800)
  t.is(defaultTtlSeconds({ ttl: { stream: '2d' } }, 'screenshare'), 3600)
})

test('clamps a configured TTL to the range that a creator may request', t => {
  t.is(defaultTtlSeconds({ ttl: { screenshare: '2d' } }, 'screenshare'), 86400)
  t.is(defaultTtlSeconds({ ttl: { stream: '30d' } }, 'stream'), 604_800)
  t.is(defaultTtlSeconds({ ttl: { screenshare: '10ms' } }, 'screenshare'), 1)
})

test('the duration of a session is unlimited by default', t => {
  t.is(maxDurationMs({}), undefined)
  t.is(maxDurationMs({ maxDuration: '90m' }), 5_400_000)
})

test('the relay host defaults to the host of publicUrl', t => {
  t.deepEqual(relayEndpoint({}, { publicUrl: 'https://live.test:8443/a' }), {
    relay_host: 'live.test',
    relay_udp_port: 7000,
  })
  t.deepEqual(relayEndpoint({ relay: { host: 'r.test', udpPort: 9 } }, { publicUrl: 'https://live.test' }), {
    relay_host: 'r.test',
    relay_udp_port: 9,
  })
  t.is(relayEndpoint({ relay: { host: '' } }, { publicUrl: 'https://live.test' }).relay_host, 'live.test')
})

test('reads ICE server URLs from a list or a comma-separated text', t => {
  const both = ['stun:a.test:3478', 'turn:a.test:3478?transport=udp']
  t.deepEqual(iceUrls({ turn: { urls: both } }), both)
  t.deepEqual(iceUrls({ turn: { urls: both.join(' , ') } }), both)
  for (const none of [{}, { turn: {} }, { turn: { urls: '' } }, { turn: { urls: [] } }]) t.deepEqual(iceUrls(none), [])
})

test('rejects invalid ICE server URLs', t => {
  const check = new Ajv2020({ strict: false }).compile(SessionsOptions)
  for (const urls of ['', 'stun:a', 'stun:a, turns:b:5349?transport=tcp', ['turn:a'], []])
    t.true(check({ turn: { urls } }), JSON.stringify(urls))
  for (const urls of ['a.test', 'stun:a,', 'stun:a turn:b', ['stun:a', 'http://b'], [''], 7])
    t.false(check({ turn: { urls } }), JSON.stringify(urls))
})

test('accepts a host name or an IP address as the host of the relay', t => {
  const validate = new Ajv2020().compile(SessionsOptions)
  const isHost = (host: string) => validate({ relay: { host } })
  for (const host of ['', 'relay.acme.example', 'localhost', '10.0.0.1', '::1', '[2001:db8::1]'])
    t.true(isHost(host), host)
  for (const host of ['my relay', ' relay', 'https://relay.acme.example', 'relay:7000', 'a..b', 'relay/x'])
    t.false(isHost(host), host)
})
