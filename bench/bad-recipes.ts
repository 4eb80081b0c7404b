/** Measures how fast invalid recipes are reported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './measure.ts'

const HEAD = 'recipe: 1\nproduct: { key: bad, name: Bad, publicUrl: "http://localhost:8080" }\nmodules:\n'
const KERNEL = "import { defineModule } from 'larder/kernel'\n"

const BAD: readonly { readonly name: string; readonly files: Readonly<Record<string, string>> }[] = [
  {
    name: 'identity and comms, a misspelt key',
    files: { 'recipe.yaml': `${HEAD}  identity: { invitation: { ttl: 7d } }\n  comms: {}\n` },
  },
  {
    name: 'ten modules, four mistakes',
    files: {
      'recipe.yaml': `${HEAD}  identity: {}
  comms: { fromm: x }
  content: {}
  media: {}
  billing: {}
  forms: {}
  features: {}
  messaging: {}
  sessions: { ttl: { screenshare: soon } }
  streamz: {}
plans:
  free: { name: Free, price: 0, currency: EUR, entitlements: {} }
roles:
  tenant.x: { name: X, permissions: ["content.nope"] }
`,
    },
  },
  {
    name: 'two modules of a team that need each other',
    files: {
      'recipe.yaml': `${HEAD}  identity: {}\n  comms: {}\n  a: { use: ./a.js }\n  b: { use: ./b.js }\n`,
      'a.js': `${KERNEL}export default defineModule({ name: 'a', needs: ['pb'], provides: { pa: () => ({}) } })\n`,
      'b.js': `${KERNEL}export default defineModule({ name: 'b', needs: ['pa'], provides: { pb: () => ({}) } })\n`,
    },
  },
]

/** @param times seconds that the command takes, which must end with `code`. */
export async function badRecipes(
  times: (args: readonly string[], code: number) => Promise<string>,
  against: string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, files } of BAD) {
    const folder = await mkdtemp(join(tmpdir(), 'larder-bad-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const measured = await times(['recipe', 'check', join(folder, 'recipe.yaml')], 1)
    rows.push({ what: `reports an invalid recipe: ${name}`, measured, against, aim: '≤ 0.8 s' })
    await rm(folder, { recursive: true, force: true })
  }
  return rows
}
