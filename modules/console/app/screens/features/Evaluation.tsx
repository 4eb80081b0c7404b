/** The value of a flag for the caller or another member and a context, and why. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { CodeEditor } from '../../components/CodeEditor.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import type { FlagEvaluation, FlagEvaluations } from '../../data/api-types.ts'
import { parseJson } from '../../data/json.ts'
import { messageOf } from '../../data/problem.ts'
import type { Row } from '../../data/resources.ts'
import { usePermissions } from '../../data/session.ts'
import { MemberPicker } from './MemberPicker.tsx'
import { valueText } from './rules.ts'
import { useFeatureTexts } from './texts.ts'
import './features.css'

export default function Evaluation({ record }: { readonly record: Row }) {
  const c = useFeatureTexts()
  const [text, setText] = useState('{\n  "targetingKey": "user-1"\n}')
  const [outcome, setOutcome] = useState<FlagEvaluation>()
  const [failure, setFailure] = useState<unknown>()
  const [isForMember, setForMember] = useState(false)
  const [userId, setUserId] = useState('')
  const { may } = usePermissions()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const reasons: Readonly<Record<string, string>> = {
    ...{ disabled: c.disabled, prerequisite: c.prerequisite, override: c.overrideReason },
    ...{ entitlement: c.entitlement, rule: c.ruleReason, default: c.default },
  }
  const key = String(record.key)
  const evaluate = (event: FormEvent) => {
    event.preventDefault()
    setOutcome(undefined)
    const context = parseObject(text)
    run(async () => {
      if (!context) throw new Error(c.invalidContext)
      setOutcome(await (isForMember ? explain(key, userId, context) : evaluateForCaller(key, context)))
    })
  }
  const choose = (chosen: string) => {
    setUserId(chosen)
    setOutcome(undefined)
  }
  return (
    <form className="form" onSubmit={evaluate}>
      {may('identity.member.read') && may('features.feature.read') && (
        <div className="toolbar">
          <FilterSelect
            label={c.evaluateFor}
            value={isForMember ? 'member' : 'me'}
            all={null}
            options={[
              ['me', c.forMyself],
              ['member', c.forMember],
            ]}
            onChange={chosen => {
              setForMember(chosen === 'member')
              setOutcome(undefined)
            }}
          />
          {isForMember && <MemberPicker value={userId} onChange={choose} />}
        </div>
      )}
      <div className="field">
        <span className="label">{c.context}</span>
        <CodeEditor label={c.context} language="json" value={text} onChange={setText} />
        <p className="hint">{isForMember ? c.contextOfMemberHint : c.contextHint}</p>
      </div>
      <div className="form-actions">
        <Button kind="primary" type="submit" isDisabled={isBusy || (isForMember && userId === '')}>
          {c.evaluate}
        </Button>
      </div>
      {failure !== undefined && (
        <p className="notice danger" role="alert">
          {messageOf(failure)}
        </p>
      )}
      {outcome && (
        <section className="card outcome" role="status">
          <h2>
            <code>{valueText(outcome.value)}</code>
          </h2>
          <p>{reasons[String(outcome.metadata.source)] ?? outcome.reason}</p>
          <p className="muted">
            {[
              outcome.reason,
              outcome.variant,
              ...Object.entries(outcome.metadata).map(([name, value]) => `${name}: ${value}`),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </section>
      )}
    </form>
  )
}

async function evaluateForCaller(key: string, context: object): Promise<FlagEvaluation> {
  const path = `/v1/features/${encodeURIComponent(key)}/evaluate`
  return (await callApi<FlagEvaluation>({ method: 'POST', path, body: { context } })).body
}

async function explain(key: string, userId: string, context: object): Promise<FlagEvaluation> {
  const body = { userId, context, keys: [key] }
  const path = '/v1/features/explain'
  const [outcome] = (await callApi<FlagEvaluations>({ method: 'POST', path, body })).body.flags
  if (!outcome || 'errorCode' in outcome) throw new Error(outcome?.errorDetails ?? outcome?.errorCode)
  return outcome
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
