/** The value of a flag for a context, and why. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { CodeEditor } from '../../components/CodeEditor.tsx'
import { callApi } from '../../data/api.ts'
import type { Row } from '../../data/resources.ts'
import { valueText } from './rules.ts'
import { useFeatureTexts } from './texts.ts'
import './features.css'

interface Outcome {
  readonly value: unknown
  readonly reason: string
  readonly variant?: string
  readonly metadata: Readonly<Record<string, string | number>>
}

export default function Evaluation({ record }: { readonly record: Row }) {
  const c = useFeatureTexts()
  const [text, setText] = useState('{\n  "targetingKey": "user-1"\n}')
  const [outcome, setOutcome] = useState<Outcome>()
  const [failure, setFailure] = useState('')
  const reasons: Readonly<Record<string, string>> = {
    ...{ disabled: c.disabled, prerequisite: c.prerequisite, override: c.overrideReason },
    ...{ entitlement: c.entitlement, rule: c.ruleReason, default: c.default },
  }
  const evaluate = async (event: FormEvent) => {
    event.preventDefault()
    setFailure('')
    setOutcome(undefined)
    const context = parseObject(text)
    if (!context) return setFailure(c.invalidContext)
    try {
      const path = `/v1/features/${encodeURIComponent(String(record.key))}/evaluate`
      setOutcome((await callApi<Outcome>({ method: 'POST', path, body: { context } })).body)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <form className="form" onSubmit={evaluate}>
      <div className="field">
        <span className="label">{c.context}</span>
        <CodeEditor label={c.context} language="json" value={text} onChange={setText} />
        <p className="hint">{c.contextHint}</p>
      </div>
      <div className="form-actions">
        <Button kind="primary" type="submit">
          {c.evaluate}
        </Button>
      </div>
      {failure && (
        <p className="notice danger" role="alert">
          {failure}
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

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
