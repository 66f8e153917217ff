// total: definitions 4, imports 2
import React, { type FC } from "react";
//     ^ imports: React = react default
//                   ^ imports: FC = react FC
interface Props { title: string; onDone?: () => void }
//        ^ definition: interface Props
export const Panel: FC<Props> = ({ title }: Props): JSX.Element => {
//           ^ definition: function Panel
//           ^ exported: yes
//           ^ parameters: { title }: Props
//           ^ returns: JSX.Element
  const ref = useRef<HTMLDivElement>(null);
//            ^ calls: useRef in Panel
//    ^ binds: ref assign useRef<HTMLDivElement>(null)
  return <Frame<string> ref={ref}><b>{label(title)}</b></Frame>;
//        ^ calls: Frame in Panel
//                                    ^ calls: label in Panel
};
export class Board extends React.Component<Props, State> {
//           ^ definition: class Board
//           ^ bases: React.Component
  render() { return <Panel title="x" />; }
//^ definition: method Board.render
//                   ^ calls: Panel in Board.render
}
