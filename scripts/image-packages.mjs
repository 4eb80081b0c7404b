// Makes optional packages dependencies of this copy of package.json, so that `npm prune --omit=dev` keeps them, in the
// version of the lock file. Used by the Dockerfile:
//   node scripts/image-packages.mjs ioredis sharp
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)
const manifest = JSON.parse(readFileSync(file, 'utf8'))
for (const name of process.argv.slice(2)) {
  const range = manifest.peerDependencies[name]
  if (!range) throw new Error(`${name} is not among the peerDependencies`)
  manifest.dependencies[name] = range
  delete manifest.devDependencies[name]
}
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
