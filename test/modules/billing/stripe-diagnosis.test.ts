import test from 'ava'
import { diagnoseStripe } from '../../../modules/billing/services/providers/stripe-diagnosis.ts'
import { SECRET_KEY, type StripeServer, startStripe, WEBHOOK_SECRET } from './stripe-server.ts'

let server: StripeServer
test.before(async () => {
  server = await startStripe()
})
test.after.always(() => server?.close())

const examine = (secretKey = SECRET_KEY) =>
  diagnoseStripe({
    stripe: { secretKey, webhookSecret: WEBHOOK_SECRET, host: '127.0.0.1', port: server.port, protocol: 'http' },
  })
const endpoint = (version: string | null, url = 'https://shop.example/v1/billing/webhook', status = 'enabled') => ({
  id: 'we_1',
  object: 'webhook_endpoint',
  api_version: version,
  url,
  status,
})

test.serial('names a webhook endpoint with an unknown API version', async t => {
  server.endpoints = [endpoint('2031-01-01.quince'), endpoint('2025-03-31.basil'), endpoint(null)]
  t.deepEqual(await examine(), [
    "The webhook endpoint https://shop.example/v1/billing/webhook in Stripe has API version 2031-01-01.quince, which this version of Larder doesn't know.",
  ])
})

test.serial('reports that Stripe has no enabled endpoint of the product', async t => {
  server.endpoints = [
    endpoint(null, 'https://shop.example/other'),
    endpoint(null, 'https://shop.example/v1/billing/webhook', 'disabled'),
  ]
  t.deepEqual(await examine(), ['Stripe has no enabled webhook endpoint with the path /v1/billing/webhook.'])
})

test.serial('reports a key that Stripe refuses', async t => {
  const [problem, ...others] = await examine('sk_test_wrong')
  t.regex(problem ?? '', /^The webhook endpoints in Stripe can't be read: /)
  t.deepEqual(others, [])
})

test.serial('asks nothing without Stripe', async t => {
  t.deepEqual(await diagnoseStripe({}), [])
  t.deepEqual(await diagnoseStripe({ stripe: { secretKey: '', webhookSecret: '' } }), [])
})
