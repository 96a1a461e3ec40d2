namespace EventHubThroughput.Amqp;

/// <summary>Holds a connection's lock. Frames that were encoded by the only writer are written after the lock is left.</summary>
internal readonly ref struct WritingScope
{
    private readonly Lock _gate;
    private readonly OutputQueue _output;

    public WritingScope(Lock gate, OutputQueue output)
    {
        (_gate, _output) = (gate, output);
        gate.Enter();
        output.BeginScope();
    }

    public void Dispose()
    {
        var isDueHere = _output.EndScope();
        _gate.Exit();
        if (isDueHere)
        {
            _output.WriteHere();
        }
    }
}
