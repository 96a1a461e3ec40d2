namespace EventHubThroughput.Amqp;

/// <summary>Calls to user code that a frame gave rise to: gathered under the lock, made after it was left, in order.</summary>
internal sealed class DeferredCalls
{
    private readonly List<Action> _calls = [];

    public bool IsEmpty => _calls.Count == 0;

    public void Add(Action call) => _calls.Add(call);

    public void Run()
    {
        // A call may not add to this list: it runs without the lock.
        for (var i = 0; i < _calls.Count; i++)
        {
            _calls[i]();
        }

        _calls.Clear();
    }

    /// <summary>Makes the calls of an end: one that fails must keep neither the others nor the end itself from happening.</summary>
    public void RunAll(Action<Exception> failed)
    {
        foreach (var call in _calls)
        {
            try
            {
                call();
            }
            catch (Exception exception)
            {
                // Its connection is over, which is all that could be done about it.
                failed(exception);
            }
        }

        _calls.Clear();
    }
}
