import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

for (const [page, script] of [
  ['module-contract', 'contract-reference'],
  ['actions', 'actions-reference'],
] as const)
  test(`docs/reference/${page}.md matches the code`, t => {
    const path = fileURLToPath(new URL(`scripts/${script}.mjs`, packageRoot))
    const { status, stderr } = spawnSync(process.execPath, [path, '--check'], { encoding: 'utf8' })
    t.is(stderr, '')
    t.is(status, 0)
  })
