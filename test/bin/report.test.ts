import test from 'ava'
import { report } from '../../bin/report.ts'

const kernel = {
  inspector: { modules: () => [{ name: 'console', state: 'running', pages: [{ path: '/console' }], routes: [] }] },
  product: { name: 'Acme', publicUrl: 'http://localhost:8080' },
  place: 'PostgreSQL at localhost:5432/acme',
  checked: { file: 'recipe.yaml', value: {} },
} as unknown as Parameters<typeof report>[0]
const url = 'http://127.0.0.1:8091'

test('advises the port of the process if links in emails point to another one', t => {
  const text = report(kernel, { url, behindProxy: false, elapsed: 1000 })
  t.regex(text, /console +http:\/\/127\.0\.0\.1:8091\/console\n/)
  t.regex(text, /Set PUBLIC_URL=http:\/\/localhost:8091/)
})

test('behind a proxy, lists public addresses and advises no port', t => {
  const text = report(kernel, { url, behindProxy: true, elapsed: 1000 })
  t.regex(text, /console +http:\/\/localhost:8080\/console\n/)
  t.notRegex(text, /PUBLIC_URL/)
})
