import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

test('docs/reference/module-contract.md matches the contract', t => {
  const script = fileURLToPath(new URL('scripts/contract-reference.mjs', packageRoot))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  t.is(stderr, '')
  t.is(status, 0)
})
