import { Component, type ReactNode } from "react";
import { ErrorState } from "../ui/states.tsx";

type State = { error: unknown };

/** Keeps the rest of the console alive when one page fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <ErrorState error={this.state.error} onRetry={() => this.setState({ error: null })} />;
  }
}
