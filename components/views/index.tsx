/** Which view draws which dialog. A page takes the window; an overlay stands on what is below it. */
import type { ReactNode } from 'react'
import type { Dialog, DialogKind } from '../dialogs.ts'
import { AuditView } from './AuditView.tsx'
import { CancelView } from './CancelView.tsx'
import { CompareView } from './CompareView.tsx'
import { CorrectView } from './correct/CorrectView.tsx'
import { PreviewPage } from './correct/PreviewPage.tsx'
import { DiffView } from './diff/DiffView.tsx'
import { type GateCardProps, GateCardView } from './GateCardView.tsx'
import { GatesView } from './GatesView.tsx'
import { HelpView } from './HelpView.tsx'
import { HomeView } from './HomeView.tsx'
import { LeaveView } from './LeaveView.tsx'
import { NewPlanView } from './NewPlanView.tsx'
import { PaletteView } from './PaletteView.tsx'
import { ProfilesView } from './profiles/ProfilesView.tsx'
import type { ViewProps } from './view.ts'

export type CardProps = Pick<GateCardProps, 'guard' | 'now' | 'onDrawn'> & {
  readonly onPreviewDrawn: (digest: string) => void
}

const layers: Readonly<Record<DialogKind, 'page' | 'overlay' | 'line'>> = {
  help: 'page',
  palette: 'overlay',
  filter: 'line',
  gates: 'page',
  gate: 'page',
  diff: 'page',
  compare: 'page',
  correct: 'page',
  undo: 'page',
  newPlan: 'page',
  profiles: 'page',
  audit: 'page',
  cancel: 'overlay',
  leave: 'overlay',
}

export function pageOf(dialogs: readonly Dialog[]): Dialog | undefined {
  return dialogs.findLast(dialog => layers[dialog.kind] === 'page')
}

export function overlayOf(dialogs: readonly Dialog[]): Dialog | undefined {
  const top = dialogs.at(-1)
  return top && layers[top.kind] === 'overlay' ? top : undefined
}

export function drawDialog(dialog: Dialog | undefined, props: ViewProps, card: CardProps): ReactNode {
  switch (dialog?.kind) {
    case undefined:
    case 'filter':
      return <HomeView {...props} />
    case 'help':
      return <HelpView {...props} top={dialog.top} />
    case 'palette':
      return <PaletteView {...props} dialog={dialog} />
    case 'gates':
      return <GatesView {...props} gateId={dialog.gateId} />
    case 'gate':
      return <GateCardView {...props} {...card} dialog={dialog} />
    case 'diff':
      return <DiffView {...props} dialog={dialog} />
    case 'compare':
      return <CompareView {...props} dialog={dialog} />
    case 'correct':
      return <CorrectView {...props} dialog={dialog} onPreviewDrawn={card.onPreviewDrawn} />
    case 'undo':
      return (
        <PreviewPage
          {...props}
          dialog={dialog}
          title="Undo: what would change"
          onDrawn={card.onPreviewDrawn}
        />
      )
    case 'newPlan':
      return <NewPlanView {...props} dialog={dialog} />
    case 'profiles':
      return <ProfilesView {...props} dialog={dialog} />
    case 'audit':
      return <AuditView {...props} dialog={dialog} />
    case 'cancel':
      return <CancelView {...props} planId={dialog.planId} />
    case 'leave':
      return <LeaveView {...props} />
  }
}
