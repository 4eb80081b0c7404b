import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

for (const [what, script] of [
  ['docs/reference/module-contract.md matches', 'contract-reference'],
  ['docs/reference/actions.md matches', 'actions-reference'],
  ['the settings in files of deploy and examples of .env match', 'settings'],
] as const)
  test(`${what} the code`, t => {
    const path = fileURLToPath(new URL(`scripts/${script}.mjs`, packageRoot))
    const { status, stderr } = spawnSync(process.execPath, [path, '--check'], { encoding: 'utf8' })
    t.is(stderr, '')
    t.is(status, 0)
  })
