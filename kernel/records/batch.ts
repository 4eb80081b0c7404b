/** Batches whose results have names. */
import type { Result, Step, Unit } from '../contract/index.ts'

/**
 * Runs several statements in one round trip, in the order of the properties. The results have the names of their
 * statements, so adding one moves no other. Leaves out undefined statements. An error rolls back all of them.
 */
export async function batchByName<Steps extends Readonly<Record<string, Step | undefined>>>(
  unit: Pick<Unit, 'batch'>,
  steps: Steps,
): Promise<{ -readonly [Name in keyof Steps]: Result | Extract<Steps[Name], undefined> }> {
  const given = Object.entries(steps).flatMap(([name, step]) => (step ? [{ name, step }] : []))
  const results = await unit.batch(given.map(({ step }) => step))
  return Object.fromEntries(given.map(({ name }, at) => [name, results[at]])) as {
    -readonly [Name in keyof Steps]: Result | Extract<Steps[Name], undefined>
  }
}
