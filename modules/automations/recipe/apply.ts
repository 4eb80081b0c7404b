import type { AutomationServices } from '../services.ts'

/** Stores the definitions for the runs that begin with them, and plans what depends on times. */
export async function apply({
  definitions,
  planning,
}: Pick<AutomationServices, 'definitions' | 'planning'>): Promise<void> {
  await definitions.save()
  await planning.save()
}
