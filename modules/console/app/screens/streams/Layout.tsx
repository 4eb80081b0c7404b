/** Chooses the layout in which viewers see the sources. */

import { type FormEvent, useState } from 'react'
import { type Api, api, Button, type Resource, Section, SelectField, useAction, wordOf } from '../../public.ts'
import { LAYOUTS, useStreamTexts } from './texts.ts'

interface Props {
  readonly resource: Resource
  readonly stream: Api.Stream
  readonly onDone: () => unknown
}

export function Layout({ resource, stream, onDone }: Props) {
  const c = useStreamTexts()
  const { layout, sources } = stream
  const [kind, setKind] = useState(layout.kind)
  const [focus, setFocus] = useState(layout.focus_source_id ?? '')
  const { isBusy, run } = useAction({ onDone })
  const hasFocus = kind === 'focus' || kind === 'single'
  const save = (event: FormEvent) => {
    event.preventDefault()
    const slots = layout.slots.length > 0 ? layout.slots : sources.map(({ source_id }, order) => ({ source_id, order }))
    const body = { kind, slots, ...(hasFocus && focus !== '' && { focus_source_id: focus }) }
    const input = { path: { id: stream.id }, body, etag: `"${layout.version}"` }
    run(() => api.post('/v1/streams/{id}/layout', input), c.layoutSaved)
  }
  return (
    <Section title={c.layout}>
      <form className="inline-form" onSubmit={save}>
        <SelectField
          label={c.arrangement}
          value={kind}
          options={LAYOUTS.map(each => [each, wordOf(each, resource.states.kind)])}
          onChange={setKind}
        />
        {hasFocus && (
          <SelectField
            label={c.mainSource}
            value={focus}
            options={[['', c.firstSource], ...sources.map(({ source_id: id, label }) => [id, label ?? id] as const)]}
            onChange={setFocus}
          />
        )}
        <Button kind="primary" type="submit" isDisabled={isBusy}>
          {c.saveLayout}
        </Button>
      </form>
    </Section>
  )
}
