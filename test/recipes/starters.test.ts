/** The recipes that `larder init` copies. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { checkFile } from '../../bin/composition.ts'
import { STARTERS, starterNames } from '../../bin/init/starters.ts'
import { packagePeers, packageRoot } from '../../kernel/base/package-root.ts'
import { neededPackages } from '../../kernel/recipe/index.ts'

for (const starter of starterNames)
  test(`the starter ${starter} is valid, and lists the packages that its recipe needs in production`, async t => {
    const file = fileURLToPath(new URL(`starters/${starter}/recipe.yaml`, packageRoot))
    const checked = await checkFile(file, { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
    t.deepEqual(checked.warnings, [])
    t.deepEqual(neededPackages(checked.modules).toSorted(), [...STARTERS[starter].packages])
    for (const name of STARTERS[starter].packages) t.true(name in packagePeers, name)
  })
