import test from 'ava'
import { startRecipes } from './generated-recipes.ts'

const RUNS = Number(process.env.LARDER_RUNS ?? 20)
const SEED = Number(process.env.LARDER_SEED ?? 1000)

test(`${RUNS} random recipes that the check accepts start`, async t => {
  t.timeout(RUNS * 30_000)
  await t.notThrowsAsync(startRecipes(RUNS, SEED))
})
