import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";

interface ErrorBoundaryProps {
  /** Begins the sentence that says it couldn't be shown. */
  name: string;
  /** Another value tries again. */
  of?: string;
  className?: string;
  children: ReactNode;
}

/** The last resort: a part that can't be drawn says so, and the rest of the page stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError = (error: Error) => ({ error });

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (before.of !== this.props.of && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    const { name, className = "", children } = this.props;
    const { error } = this.state;
    if (error === null) return children;
    return (
      <div role="alert" className={`flex flex-col items-start gap-2 text-sm text-muted ${className}`}>
        <p className="break-words">
          {name} couldn't be shown. This page may be older than the server. ({error.message})
        </p>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </div>
    );
  }
}
