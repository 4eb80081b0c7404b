/** The modules of a checked recipe, made: how a boot, a plan and a survey begin. */

import { dirname } from 'node:path'
import type { RecipeView } from '../contract/index.ts'
import { createWiring, type Wiring } from './container.ts'
import { createKernelPorts, type KernelPortsOptions, type MadePorts } from './kernel-ports.ts'
import { createStaff, type Staff } from './registry.ts'

export interface MadeModules {
  readonly made: MadePorts
  readonly wiring: Wiring
  readonly staff: Staff
  readonly recipe: Omit<RecipeView, 'sections'>
}

/** Asks nothing of the database. Throws where a module that is not optional cannot be made, with all closed again. */
export async function makeModules(options: KernelPortsOptions): Promise<MadeModules> {
  const { checked } = options
  const made = await createKernelPorts(options)
  const wiring = createWiring(made.ports)
  const recipe = { product: made.ports.product, folder: dirname(checked.file) }
  const staff = createStaff(checked.modules, wiring, recipe)
  made.engage(staff)
  try {
    await staff.each('be made', ({ module, options: own, sections }) => {
      wiring.make(module, own, { ...recipe, sections })
    })
  } catch (error) {
    await made.close()
    throw error
  }
  return { made, wiring, staff, recipe }
}
