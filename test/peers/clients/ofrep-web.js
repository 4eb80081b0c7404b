/** Evaluates flags with OpenFeature's web SDK. Arguments: the base URL, a token. */
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'

const [baseUrl, token] = process.argv.slice(2)
await OpenFeature.setContext({ targetingKey: 'user-7', country: 'DE' })
const headers = [['authorization', `Bearer ${token}`]]
await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: 0 }))
const client = OpenFeature.getClient()
const results = []
for (const country of ['DE', 'FR']) {
  await OpenFeature.setContext({ targetingKey: 'user-7', country })
  for (const { flagKey, value, variant = null } of [
    client.getBooleanDetails('plain', false),
    client.getBooleanDetails('off', false),
    client.getStringDetails('theme', 'none'),
    client.getNumberDetails('share', -1),
    client.getNumberDetails('count', -1),
    client.getObjectDetails('layout', {}),
    client.getBooleanDetails('missing', false),
  ])
    results.push([flagKey, value, variant])
}
console.log(JSON.stringify(results))
process.exit(0)
