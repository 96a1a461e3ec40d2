namespace EventHubThroughput.Amqp;

/// <summary>Calls to user code that a frame caused: collected under the lock, made in order after the lock was left.</summary>
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

    /// <summary>Makes the calls at the end of a connection. A call that fails must prevent neither the others nor the end itself.</summary>
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
                // Its connection has ended, so nothing else can be done about it.
                failed(exception);
            }
        }

        _calls.Clear();
    }
}
