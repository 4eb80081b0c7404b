import test from 'ava'
import { passTheDead } from './receivers.ts'

test('webhooks pass a receiver that answers nothing, however much waits for it', async t => {
  const { ages, held, waiting } = await passTheDead({ waiting: 500, others: 20 })
  t.is(ages.length, 20)
  t.true(ages.every(age => age < Number.POSITIVE_INFINITY))
  t.true(held >= 1)
  t.true(waiting > 400, 'much still waited for the dead one')
})
