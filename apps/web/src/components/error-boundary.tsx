import { Button, Center } from '@mantine/core';
import IconMoodSad from '@tabler/icons-react/dist/esm/icons/IconMoodSad.mjs';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './empty-state';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Where it is; another place gets another try. What did not crash stays as it is. */
  place?: string;
}

interface ErrorBoundaryState {
  hasCrashed: boolean;
}

/** Keeps a fault of one screen from emptying the whole page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasCrashed: false };

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { hasCrashed: true };
  }

  override componentDidUpdate({ place }: ErrorBoundaryProps): void {
    if (this.state.hasCrashed && place !== this.props.place) this.setState({ hasCrashed: false });
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? <CrashNotice /> : this.props.children;
  }
}

function CrashNotice() {
  const { t } = useTranslation('shell');
  return (
    <Center mih="60dvh" role="alert">
      <EmptyState
        icon={IconMoodSad}
        title={t('error.crashTitle')}
        text={t('error.crashText')}
        action={<Button onClick={() => location.reload()}>{t('error.reload')}</Button>}
      />
    </Center>
  );
}
