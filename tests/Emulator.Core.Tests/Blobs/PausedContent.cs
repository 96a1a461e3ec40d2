using System.Net;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>A body that stops in its middle until it is released.</summary>
internal sealed class PausedContent(byte[] body, int pauseAfter) : HttpContent
{
    private readonly TaskCompletionSource paused = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource resumed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Paused => paused.Task;

    public void Resume() => resumed.TrySetResult();

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        await stream.WriteAsync(body.AsMemory(0, pauseAfter));
        await stream.FlushAsync();
        paused.SetResult();
        await resumed.Task;
        await stream.WriteAsync(body.AsMemory(pauseAfter));
    }

    protected override bool TryComputeLength(out long length)
    {
        length = body.Length;
        return true;
    }
}
