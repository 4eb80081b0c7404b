/** Chooses the layout in which viewers see the sources. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import type { Stream } from '../../data/api-types.ts'
import { LAYOUTS, useStreamTexts } from './texts.ts'

export function Layout({ stream, onDone }: { readonly stream: Stream; readonly onDone: () => unknown }) {
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
    const path = `/v1/streams/${stream.id}/layout`
    run(() => callApi({ method: 'POST', path, body, etag: `"${layout.version}"` }), c.layoutSaved)
  }
  return (
    <section aria-labelledby="layout">
      <h2 id="layout">{c.layout}</h2>
      <form className="stream-form" onSubmit={save}>
        <div className="field">
          <label htmlFor="layout-kind">{c.arrangement}</label>
          <select id="layout-kind" value={kind} onChange={({ target }) => setKind(target.value as typeof kind)}>
            {LAYOUTS.map(each => (
              <option key={each} value={each}>
                {c[each]}
              </option>
            ))}
          </select>
        </div>
        {hasFocus && (
          <div className="field">
            <label htmlFor="layout-focus">{c.mainSource}</label>
            <select id="layout-focus" value={focus} onChange={({ target }) => setFocus(target.value)}>
              <option value="">{c.firstSource}</option>
              {sources.map(({ source_id: id, label }) => (
                <option key={id} value={id}>
                  {label ?? id}
                </option>
              ))}
            </select>
          </div>
        )}
        <Button kind="primary" type="submit" isDisabled={isBusy}>
          {c.saveLayout}
        </Button>
      </form>
    </section>
  )
}
