import { type ReactNode, useId } from 'react'

interface Props {
  readonly title: string
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a screen, named by its heading. */
export function Section({ title, className, children }: Props) {
  const id = useId()
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
