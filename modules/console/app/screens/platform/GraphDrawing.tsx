/** Draws modules in layers. Each node is a link; the one in focus shows its neighbors. */
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useScreenTexts } from '../../locales/index.ts'
import { type DependencyEdge, type ModuleNode, modulePath, neighborsOf } from './dependencies.ts'
import './graph.css'
import { graphTexts } from './graph-texts.ts'
import { layoutGraph, type Point } from './layered-layout.ts'

/** Pixels. */
const SIZES = { nodeWidth: 132, nodeHeight: 40, gapX: 24, gapY: 60 }
const MARGIN = 16

interface Props {
  readonly modules: readonly ModuleNode[]
  readonly edges: readonly DependencyEdge[]
  /** Key of a module, or empty. */
  readonly selected: string
  readonly view: 'ports' | 'events'
}

export function GraphDrawing({ modules, edges, selected, view }: Props) {
  const t = useScreenTexts(graphTexts)
  const [pointed, setPointed] = useState('')
  const layout = useMemo(() => {
    const ends = new Set(edges.flatMap(({ from, to }) => [from, to]))
    const connected = modules.map(({ key }) => key).filter(key => ends.has(key))
    return layoutGraph(connected, edges, SIZES)
  }, [modules, edges])
  const scroller = useRef<HTMLElement>(null)
  useEffect(() => {
    const center = layout.nodes.get(selected)
    const element = scroller.current
    if (center && element) element.scrollLeft = center.x + MARGIN - element.clientWidth / 2
  }, [layout, selected])
  const active = pointed || selected
  const { uses, usedBy } = neighborsOf(active, edges)
  const roleOf = (key: string): string => {
    if (active === '') return ''
    if (key === active) return 'active'
    return uses.includes(key) ? 'used' : usedBy.includes(key) ? 'user' : 'other'
  }
  const roleOfEdge = ({ from, to }: DependencyEdge): string => {
    if (active === '') return ''
    return from === active ? 'used' : to === active ? 'user' : 'other'
  }
  const nodeOf = ({ key, summary, state }: ModuleNode) => (
    <Link
      to={modulePath(key)}
      className={`graph-node ${roleOf(key)} ${state}`}
      title={summary || undefined}
      onMouseEnter={() => setPointed(key)}
      onMouseLeave={() => setPointed('')}
      onFocus={() => setPointed(key)}
      onBlur={() => setPointed('')}
    >
      <span>{key}</span>
      {state === 'failed' && <span className="visually-hidden"> ({t.failed})</span>}
    </Link>
  )
  const unconnected = modules.filter(({ key }) => !layout.nodes.has(key))
  const width = layout.width + 2 * MARGIN
  const height = layout.height + 2 * MARGIN
  return (
    <figure className="graph">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys */}
      <section ref={scroller} className="graph-scroll" tabIndex={0} aria-label={t.graphLabel}>
        <div className="graph-canvas" style={{ width, height }}>
          <svg width={width} height={height} viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`} aria-hidden>
            <defs>
              {['', 'used', 'user', 'other'].map(role => (
                <marker
                  key={role}
                  id={`arrow-${role}`}
                  className={role}
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerUnits="userSpaceOnUse"
                  markerWidth="9"
                  markerHeight="9"
                  orient="auto"
                >
                  <path d="M0 0.8 L7 4 L0 7.2 z" />
                </marker>
              ))}
            </defs>
            {layout.edges.map(({ edge, points }) => (
              <path
                key={`${edge.from} ${edge.to}`}
                className={`graph-edge ${edge.kind} ${roleOfEdge(edge)}`}
                d={curve(points)}
                markerEnd={`url(#arrow-${roleOfEdge(edge)})`}
              />
            ))}
          </svg>
          <ul>
            {modules.map(module => {
              const center = layout.nodes.get(module.key)
              return (
                center && (
                  <li
                    key={module.key}
                    style={{
                      left: center.x + MARGIN - SIZES.nodeWidth / 2,
                      top: center.y + MARGIN - SIZES.nodeHeight / 2,
                      width: SIZES.nodeWidth,
                      height: SIZES.nodeHeight,
                    }}
                  >
                    {nodeOf(module)}
                  </li>
                )
              )
            })}
          </ul>
        </div>
      </section>
      {unconnected.length > 0 && (
        <div className="graph-unconnected">
          <span className="muted">{t.unconnected}</span>
          <ul>
            {unconnected.map(module => (
              <li key={module.key}>{nodeOf(module)}</li>
            ))}
          </ul>
        </div>
      )}
      <figcaption>
        <Legend view={view} />
      </figcaption>
    </figure>
  )
}

function Legend({ view }: Pick<Props, 'view'>) {
  const t = useScreenTexts(graphTexts)
  const kinds = view === 'events' ? (['event'] as const) : (['needs', 'optional'] as const)
  return (
    <ul className="graph-legend">
      {kinds.map(kind => (
        <li key={kind}>
          <svg width="28" height="8" aria-hidden>
            <path className={`graph-edge ${kind}`} d="M0 4 H28" />
          </svg>
          {t[kind]}
        </li>
      ))}
    </ul>
  )
}

/** A line that is vertical at each point. */
function curve([first, ...rest]: readonly Point[]): string {
  if (!first) return ''
  let before = first
  const parts = rest.map(point => {
    const middle = (before.y + point.y) / 2
    const part = `C${before.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`
    before = point
    return part
  })
  return `M${first.x} ${first.y}${parts.join('')}`
}
