/** Validates inputs of actions against their schemas, which are compiled when they are first used. */
import { createRequire } from 'node:module'
import type { BoundAction } from '@larder-dev/larder/kernel'
import { extendAjv, fieldErrors } from '@larder-dev/larder/kernel/internal'
import type { Ajv, Options, ValidateFunction } from 'ajv'
import { StepRefused } from './failures.ts'

const require = createRequire(import.meta.url)

export interface InputValidation {
  /** Throws StepRefused. */
  assert(name: string, action: BoundAction, input: unknown): void
}

export function createInputValidation(): InputValidation {
  let ajv: Ajv | undefined
  const compiled = new Map<string, ValidateFunction>()
  function validatorOf(name: string, action: BoundAction): ValidateFunction {
    const found = compiled.get(name)
    if (found) return found
    ajv ??= createAjv()
    const validate = ajv.compile(JSON.parse(JSON.stringify(action.input)))
    compiled.set(name, validate)
    return validate
  }
  return {
    assert(name, action, input) {
      const validate = validatorOf(name, action)
      if (validate(input)) return
      const [error] = fieldErrors(validate.errors ?? [], '')
      throw new StepRefused('invalid_input', `${error?.pointer.slice(1).replaceAll('/', '.')} ${error?.detail}`.trim())
    },
  }
}

/** Loaded on demand: it takes 40 ms. */
function createAjv(): Ajv {
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => Ajv }
  const ajv = new Ajv2020({ allErrors: false, strict: false, logger: false, ownProperties: true })
  const addFormats = require('ajv-formats') as (ajv: Ajv) => void
  addFormats(ajv)
  extendAjv(ajv)
  return ajv
}
