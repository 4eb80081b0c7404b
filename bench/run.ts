/**
 * `npm run bench [part …]` measures and prints one table. Parts: start, requests, relay, sessions, signaling, webhooks,
 * forms, features, messaging, media, billing, pages. `npm run bench -- routes` measures every route: see `routes.ts`;
 * `npm run bench -- collections` compares collections with other products: see `collections/run.ts`;
 * `npm run bench -- imports` measures imports of rows: see `collections/imports.ts`;
 * `npm run bench -- scale` measures collections with millions of rows: see `collections/scale.ts`.
 */

import { billing } from './billing.ts'
import { imports } from './collections/imports.ts'
import { collections } from './collections/run.ts'
import { scale } from './collections/scale.ts'
import { features } from './features.ts'
import { createEnvironment } from './fixtures.ts'
import { forms } from './forms.ts'
import { type Row, table } from './measure.ts'
import { media } from './media.ts'
import { messaging } from './messaging.ts'
import { pages } from './pages.ts'
import { relay } from './relay.ts'
import { requests } from './requests.ts'
import { routes } from './routes.ts'
import { sessions } from './sessions.ts'
import { signaling } from './signaling.ts'
import { start } from './start.ts'
import { webhooks } from './webhooks.ts'

const parts = {
  start: () => start(),
  requests,
  relay,
  sessions,
  signaling,
  webhooks,
  forms,
  features,
  messaging,
  media,
  billing,
  pages,
}
const [first, ...rest] = process.argv.slice(2)
/** Reports of their own, with arguments. */
const reports = { routes, collections, imports, scale }
const report = first !== undefined && Object.hasOwn(reports, first) ? reports[first as keyof typeof reports] : undefined
const wanted = report ? [] : process.argv.slice(2)
const unknown = wanted.filter(name => !(name in parts))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}. There are ${Object.keys({ ...parts, ...reports }).join(', ')}.`)
  process.exit(2)
}
const environment = await createEnvironment()
try {
  if (report) console.log(await report(environment, rest))
  else console.log(table(await measureParts()))
} finally {
  await environment.close()
}

async function measureParts(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    console.error(`measuring ${name} …`)
    rows.push(...(await part(environment)))
  }
  return rows
}
