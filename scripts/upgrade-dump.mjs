// Stores a database of this version in test/upgrade; see the README there. Needs an empty database on PostgreSQL 15 and
// the `pg_dump` of that version:
//   DATABASE_URL=postgresql://… node scripts/upgrade-dump.mjs 2026-11-26-0.1.0
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeDump } from '../dist/test/upgrade/dump.js'
import { UPGRADES } from '../dist/test/upgrade/store.js'

const [name] = process.argv.slice(2)
const { DATABASE_URL: url } = process.env
if (!name || !url || existsSync(join(UPGRADES, name))) {
  console.error('usage: DATABASE_URL=… node scripts/upgrade-dump.mjs NAME, where test/upgrade/NAME does not exist')
  process.exit(2)
}
await writeDump(url, join(UPGRADES, name))
