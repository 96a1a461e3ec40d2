using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Events.Tests.Pooling;

/// <summary>Async methods that are built with the pool behave as those that the runtime builds, and their calls are used again.</summary>
public sealed class PooledValueTaskMethodBuilderTests
{
    private static readonly AsyncLocal<string?> Flowing = new();

    [Fact]
    public async Task A_call_that_never_waits_is_complete_and_no_object()
    {
        var call = AddAsync(Task.FromResult(1), 2);

        Assert.True(call.IsCompletedSuccessfully);
        Assert.Equal(3, await call);
        SkipUnlessOptimised();
        Assert.Equal(
            0,
            Allocations.GetMinimum(static () =>
            {
                for (var i = 0; i < 100; i++)
                {
#pragma warning disable CA2012 // It has ended, and has no result.
                    Assert.True(DoneAsync().IsCompletedSuccessfully);
#pragma warning restore CA2012
                }
            })
        );
    }

    [Fact]
    public async Task A_call_that_waits_gives_its_result_when_what_it_waits_for_is_there()
    {
        var source = new TaskCompletionSource<int>();
        var call = AddAsync(source.Task, 2);
        Assert.False(call.IsCompleted);
        source.SetResult(5);

        Assert.Equal(7, await call);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_failure_is_the_exception_that_was_thrown(bool waits)
    {
        var source = new TaskCompletionSource();
        var call = FailAsync(source.Task, new InvalidDataException("it"), waits);
        Assert.Equal(!waits, call.IsFaulted);
        source.SetResult();

        Assert.Equal("it", (await Assert.ThrowsAsync<InvalidDataException>(async () => await call)).Message);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_cancellation_is_one_and_keeps_its_words(bool waits)
    {
        var source = new TaskCompletionSource();
        var call = FailAsync(source.Task, new OperationCanceledException("stopped"), waits).AsTask();
        source.SetResult();

        Assert.Equal("stopped", (await Assert.ThrowsAsync<OperationCanceledException>(() => call)).Message);
        Assert.True(call.IsCanceled);
    }

    [Fact]
    public async Task A_method_without_a_result_waits_and_fails_alike()
    {
        var source = new TaskCompletionSource();
        var call = WaitAsync(source.Task);
        Assert.False(call.IsCompleted);
        source.SetResult();
        await call;

        await Assert.ThrowsAsync<InvalidDataException>(async () => await WaitAsync(Task.FromException(new InvalidDataException())));
    }

    [Fact]
    public async Task Flowing_values_of_the_caller_are_there_after_each_wait_and_do_not_leak_out()
    {
        var first = new TaskCompletionSource();
        var second = new TaskCompletionSource();
        Flowing.Value = "caller";
        var call = SeeAsync(first.Task, second.Task);
        Assert.Equal("caller", Flowing.Value);

        Flowing.Value = "somebody else";
        await Task.Run(first.SetResult, TestContext.Current.CancellationToken);
        await Task.Run(second.SetResult, TestContext.Current.CancellationToken);

        Assert.Equal("caller, changed, changed", await call);
        Assert.Equal("somebody else", Flowing.Value);
    }

    [Fact]
    public async Task Where_the_flow_is_suppressed_nothing_flows()
    {
        var source = new TaskCompletionSource();
        ValueTask<string?> call;
        Flowing.Value = "caller";
        using (ExecutionContext.SuppressFlow())
        {
            call = SeenAfterAsync(source.Task);
        }

        await Task.Run(
            () =>
            {
                Flowing.Value = "whoever completes it";
                source.SetResult();
            },
            TestContext.Current.CancellationToken
        );

        Assert.Equal("whoever completes it", await call);
    }

    [Fact]
    public void Many_concurrent_waiting_calls_are_pooled_and_used_again()
    {
        const int Degree = 300;
        var sources = Enumerable.Range(0, Degree).Select(static _ => new Signal()).ToArray();
        var calls = new ValueTask<int>[Degree];
        SkipUnlessOptimised();
        Assert.Equal(Degree * (Degree - 1) / 2, Round());
        Assert.Equal(0, Allocations.GetMinimum(() => Round()));

        // Without an assertion, which allocates.
        int Round()
        {
            for (var at = 0; at < Degree; at++)
            {
#pragma warning disable CA2012 // Each is asked for its result once, below.
                calls[at] = AfterAsync(sources[at], at);
#pragma warning restore CA2012
            }

            for (var at = 0; at < Degree; at++)
            {
                sources[at].Set();
            }

            var sum = 0;
            for (var at = 0; at < Degree; at++)
            {
#pragma warning disable VSTHRD002 // All have ended.
                sum += calls[at].Result;
#pragma warning restore VSTHRD002
            }

            return sum;
        }
    }

#pragma warning disable CA2012, VSTHRD002 // What becomes of a mistake is what these look at.
    [Fact]
    public async Task A_call_that_is_awaited_twice_throws_and_does_not_return_the_result_of_another()
    {
        var source = new TaskCompletionSource<int>();
        var call = AddAsync(source.Task, 1);
        source.SetResult(1);
        Assert.Equal(2, await call);
        Assert.Throws<InvalidOperationException>(() => call.GetAwaiter().GetResult());

        var (one, other) = (new TaskCompletionSource<int>(), new TaskCompletionSource<int>());
        var (first, second) = (AddAsync(one.Task, 10), AddAsync(other.Task, 20));
        Assert.Throws<InvalidOperationException>(() => call.GetAwaiter().GetResult());
        one.SetResult(1);
        other.SetResult(2);
        Assert.Equal((11, 22), (await first, await second));
    }

    [Fact]
    public async Task A_call_whose_result_is_read_before_its_end_throws_and_continues()
    {
        var source = new TaskCompletionSource<int>();
        var call = AddAsync(source.Task, 1);
        var early = call;
        Assert.Throws<InvalidOperationException>(() => early.GetAwaiter().GetResult());
        source.SetResult(4);
        Assert.Equal(5, await call);
    }
#pragma warning restore CA2012, VSTHRD002

    [Fact]
    public async Task Calls_from_many_threads_keep_their_results_apart()
    {
        var wrong = 0;
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 20_000),
            new ParallelOptions { MaxDegreeOfParallelism = 64, CancellationToken = TestContext.Current.CancellationToken },
            async (number, _) =>
            {
                if (await OuterAsync(number) != number * 3)
                {
                    Interlocked.Increment(ref wrong);
                }
            }
        );

        Assert.Equal(0, wrong);
    }

    // In a build for a debugger the compiler's machines are objects.
    private static void SkipUnlessOptimised() =>
        Assert.SkipUnless(Builds.IsOptimised(typeof(PooledValueTaskMethodBuilderTests).Assembly), "built with -p:Debuggable=true");

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> OuterAsync(int number)
    {
        var once = await YieldAsync(number);
        var twice = await YieldAsync(number);
        return once + twice + await AddAsync(Task.FromResult(number), 0);
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> YieldAsync(int number)
    {
        await Task.Yield();
        return number;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> AddAsync(Task<int> first, int second) => await first + second;

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    private static async ValueTask DoneAsync() => await Task.CompletedTask;

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    private static async ValueTask WaitAsync(Task task) => await task;

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> FailAsync(Task task, Exception exception, bool waits)
    {
        if (waits)
        {
            await task;
        }

        throw exception;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<string> SeeAsync(Task first, Task second)
    {
        var seen = Flowing.Value;
        Flowing.Value = "changed";
        await first;
        seen += ", " + Flowing.Value;
        await second;
        return seen + ", " + Flowing.Value;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<string?> SeenAfterAsync(Task task)
    {
        await task.ConfigureAwait(false);
        return Flowing.Value;
    }

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private static async ValueTask<int> AfterAsync(Signal signal, int number)
    {
        await signal.WaitAsync();
        return number;
    }

    // An awaitable that needs no new object for each wait.
    private sealed class Signal : IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> core;

        public ValueTask WaitAsync() => new(this, core.Version);

        public void Set() => core.SetResult(true);

        public void GetResult(short token)
        {
            core.GetResult(token);
            core.Reset();
        }

        public ValueTaskSourceStatus GetStatus(short token) => core.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            core.OnCompleted(continuation, state, token, flags);
    }
}
