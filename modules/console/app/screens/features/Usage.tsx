/** The override of the workspace, the flags that depend on this one, and the switch that turns it off for everyone. */

import { type FormEvent, useState } from 'react'
import {
  type Api,
  api,
  Button,
  ConfirmButton,
  fill,
  MAX_PAGE,
  parseJson,
  type RecordTabProps,
  recordUrl,
  ScreenLink,
  Section,
  useAction,
  useGet,
  useRefresh,
  useReload,
} from '../../public.ts'
import { valueText } from './rules.ts'
import { useFeatureTexts } from './texts.ts'
import { ValueField } from './ValueField.tsx'
import './features.css'

export default function Usage({ resource, record }: RecordTabProps<Api.Flag>) {
  const c = useFeatureTexts()
  const refresh = useRefresh(resource)
  const reload = useReload()
  const { key } = record
  const path = { key }
  const { isBusy, run } = useAction({ onDone: () => Promise.all([refresh(), reload('/v1/features')]) })
  const { data } = useGet('/v1/features', { query: { limit: MAX_PAGE } })
  const dependents = data?.data.filter(({ requires }) => requires.some(required => required.key === key)) ?? []
  const mayChange = resource.operations.update !== undefined
  const turnOff = () =>
    run(() => api.patch('/v1/features/{key}', { path, body: { enabled: false } }), fill(c.turnedOff, { name: key }))
  return (
    <div className="flag-usage stack">
      <Section title={c.overrideTitle}>
        <p className="muted">{c.overrideText}</p>
        {record.override === null ? (
          <p>{c.noOverride}</p>
        ) : (
          <p>
            <code>{valueText(record.override)}</code>
          </p>
        )}
        {mayChange && (
          <Override
            key={valueText(record.override)}
            record={record}
            isBusy={isBusy}
            onSet={value => run(() => api.put('/v1/features/{key}/override', { path, body: { value } }), c.overrideSet)}
            onRemove={() => run(() => api.delete('/v1/features/{key}/override', { path }), c.overrideRemoved)}
          />
        )}
      </Section>
      <Section title={c.requiredBy}>
        {dependents.length === 0 ? (
          <p className="muted">{c.notRequired}</p>
        ) : (
          <ul>
            {dependents.map(({ key: other }) => (
              <li key={other}>
                <ScreenLink className="plain" to={recordUrl(resource, other)}>
                  {other}
                </ScreenLink>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {mayChange && record.enabled === true && (
        <Section title={c.killSwitch}>
          <p className="muted">{fill(c.turnOffText, { value: valueText(record.default) })}</p>
          <ConfirmButton
            kind="danger"
            icon="power"
            title={fill(c.turnOffTitle, { name: key })}
            text={[
              fill(c.turnOffText, { value: valueText(record.default) }),
              dependents.length > 0 ? fill(c.alsoAffects, { flags: dependents.map(flag => flag.key).join(', ') }) : '',
            ].join(' ')}
            confirm={c.turnOff}
            danger
            isBusy={isBusy}
            onConfirm={turnOff}
          />
        </Section>
      )}
    </div>
  )
}

interface OverrideProps {
  readonly record: Api.Flag
  readonly isBusy: boolean
  readonly onSet: (value: Api.FlagValue) => void
  readonly onRemove: () => void
}

function Override({ record, isBusy, onSet, onRemove }: OverrideProps) {
  const c = useFeatureTexts()
  const { type, override, default: standard } = record
  const [text, setText] = useState(textOf(override ?? standard))
  const value = parseValue(text, type)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (value !== undefined) onSet(value)
  }
  return (
    <form className="inline-form" onSubmit={submit}>
      <ValueField label={c.value} type={type} value={text} onChange={setText} />
      <Button type="submit" isDisabled={isBusy || value === undefined}>
        {c.setOverride}
      </Button>
      {override !== null && (
        <Button kind="quiet" isDisabled={isBusy} onPress={onRemove}>
          {c.removeOverride}
        </Button>
      )}
    </form>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The value of the flag's type; undefined if the text is no such value. */
function parseValue(text: string, type: Api.Flag['type']): Api.FlagValue | undefined {
  if (type === 'string') return text
  try {
    const value: unknown = parseJson(text)
    return typeof value === type && value !== null && !Array.isArray(value) ? (value as Api.FlagValue) : undefined
  } catch {
    return undefined
  }
}
