/** The events of an endpoint: chosen from those of the product, with wildcards. */

import { useMemo, useState } from 'react'
import { type Api, Button, type FieldProps, fieldLabel, useGet, useScreenTexts } from '../../public.ts'
import { choicesOf, coveredBy, findChoices, toggle } from './events.ts'
import { texts } from './texts.ts'
import './webhooks.css'

const NO_TYPES: Api.EventTypeList = { data: [] }

export function EventPicker({ id, field, value, pointer, errors, onChange }: FieldProps) {
  const t = useScreenTexts(texts)
  const [search, setSearch] = useState('')
  const { data: types = NO_TYPES, isPending } = useGet('/v1/webhooks/event-types')
  const choices = useMemo(() => choicesOf(types.data, t.allBelow), [types, t])
  const chosen = Array.isArray(value) ? value.map(String) : []
  const found = findChoices(choices, search)
  // An error of a pattern, such as `/events/0`, belongs to the field.
  const error = [...errors].find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1]
  return (
    <fieldset className={`field event-picker${error ? ' invalid' : ''}`} aria-describedby={error && `${id}-error`}>
      <legend>{fieldLabel(field.name, field.title)}</legend>
      {chosen.length > 0 && (
        <ul className="event-chips" aria-label={t.chosenEvents}>
          {chosen.map(pattern => (
            <li key={pattern}>
              <code>{pattern}</code>
              <Button
                kind="quiet"
                icon="x"
                label={t.removeEvent.replace('{name}', pattern)}
                onPress={() => onChange(toggle(pattern, chosen))}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        type="search"
        aria-label={t.searchEvents}
        placeholder={t.searchEvents}
        value={search}
        autoComplete="off"
        onChange={event => setSearch(event.target.value)}
        // The search submits nothing.
        onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      />
      <ul className="event-choices">
        {found.map(({ pattern, description }) => {
          const wildcard = coveredBy(pattern, chosen)
          return (
            <li key={pattern}>
              <label>
                <input
                  type="checkbox"
                  checked={wildcard !== undefined || chosen.includes(pattern)}
                  disabled={wildcard !== undefined}
                  onChange={() => onChange(toggle(pattern, chosen))}
                />
                <code>{pattern}</code>
                <span className="muted">{wildcard ? t.coveredBy.replace('{name}', wildcard) : description}</span>
              </label>
            </li>
          )
        })}
        {found.length === 0 && !isPending && <li className="muted">{t.noEvent}</li>}
      </ul>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
