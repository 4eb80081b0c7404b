/** The server that sign-ins are compared with: it checks the same password with the same parameters, and nothing else. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hash, verify } from '@node-rs/argon2'
import { createConcurrencyLimit } from '../modules/identity/sign-in/password/concurrency-limit.ts'
import { passwordCost } from '../modules/identity/sign-in/password/domain/password-cost.ts'
import { PASSWORD } from './fixtures.ts'

/** As in Larder. */
const limited = createConcurrencyLimit({ concurrency: 2, maxWaiting: 500 })
const stored = await hash(PASSWORD, passwordCost())
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const matches = await limited(() => verify(stored, PASSWORD))
  response.writeHead(matches ? 200 : 401, { 'content-type': 'application/json' }).end('{}')
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
)
process.on('disconnect', () => process.exit(0))
