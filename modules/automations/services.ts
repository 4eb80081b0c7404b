/** Private services of automations. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createAskNotices } from './services/asks/ask-notices.ts'
import { createAskOpener } from './services/asks/ask-opener.ts'
import { createAskReader } from './services/asks/ask-reader.ts'
import { createAsks } from './services/asks/asks.ts'
import { createGoneRows } from './services/asks/gone-rows.ts'
import { createControl } from './services/control.ts'
import { createDefinitions } from './services/definitions.ts'
import { createAutomationList } from './services/history/automation-list.ts'
import { createRunLog } from './services/history/run-log.ts'
import { createRunReader } from './services/history/run-reader.ts'
import { createStepTitles } from './services/history/step-titles.ts'
import { createOpenRuns } from './services/open-runs.ts'
import { createRowKinds } from './services/row-kinds.ts'
import { createRowReader } from './services/row-reader.ts'
import { createInputs } from './services/runs/inputs.ts'
import { createOffers } from './services/runs/offers.ts'
import { createOutputs } from './services/runs/outputs.ts'
import { createRuns } from './services/runs/run-record.ts'
import { createRunner } from './services/runs/runner.ts'
import { createInputValidation } from './services/runs/validation.ts'
import { createDates } from './services/starts/dates.ts'
import { createDeliveries } from './services/starts/deliveries.ts'
import { createDue } from './services/starts/due.ts'
import { createEventStarts } from './services/starts/event-starts.ts'
import { createPlanning } from './services/starts/planning.ts'
import { createPressRights } from './services/starts/press-rights.ts'
import { createPresses } from './services/starts/presses.ts'
import { createRunStarter } from './services/starts/run-starter.ts'
import { createStartCondition } from './services/starts/start-condition.ts'
import { createTargets } from './services/starts/targets.ts'
import { createSweep } from './services/sweep.ts'

export const services = {
  askNotices: createAskNotices,
  askOpener: createAskOpener,
  askReader: createAskReader,
  asks: createAsks,
  automationList: createAutomationList,
  control: createControl,
  dates: createDates,
  definitions: createDefinitions,
  deliveries: createDeliveries,
  due: createDue,
  eventStarts: createEventStarts,
  goneRows: createGoneRows,
  inputs: createInputs,
  offers: createOffers,
  outputs: createOutputs,
  openRuns: createOpenRuns,
  planning: createPlanning,
  pressRights: createPressRights,
  presses: createPresses,
  rowKinds: createRowKinds,
  rowReader: createRowReader,
  runLog: createRunLog,
  runReader: createRunReader,
  runner: createRunner,
  runs: createRuns,
  startCondition: createStartCondition,
  starter: createRunStarter,
  stepTitles: createStepTitles,
  sweep: createSweep,
  targets: createTargets,
  validation: createInputValidation,
}
export type AutomationServices = ServicesOf<typeof services>
