using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Profiles;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Applies latencies and faults to requests of the blob endpoint before they run. The latency of a write is applied elsewhere.</summary>
internal sealed class BlobFaults(FaultEngine engine, LatencyInjection faultInjection)
{
    private const string OwnerHeader = "x-ms-meta-ownerid";

    private static readonly object LostAnswer = new();

    private readonly ILatency _latency = faultInjection.CreateLatency();

    public Task ServeAsync(ConnectionContext connection, ConnectionDelegate next) =>
        engine.HasNoFaults ? ClockAsync(connection, next) : BlobConnectionFaults.ServeAsync(engine, connection, altered => ClockAsync(altered, next));

    /// <summary>Returns null when the request is to run.</summary>
    /// <exception cref="OperationCanceledException">The connection is to be closed without an answer.</exception>
    public async ValueTask<BlobFailure?> EnterAsync(BlobRequest request)
    {
        request.ArrivedAt = request.Context.Features.Get<ArrivalClock>()!.CameAt;
        if (request.Container is null)
        {
            return null;
        }

        var (point, operation) = Classify(request);
        var admission = operation is { } own ? await _latency.ApplyAsync(own, request.ArrivedAt, request.Context.RequestAborted) : default;
        if (admission.BusyFor is { } wait)
        {
            return BlobFailure.Busy(wait);
        }

        return engine.HasNoFaults || point is not { } meets ? null : await TryInjectAsync(request, meets);
    }

    /// <summary>Whether the answer is to be dropped. The connection ends.</summary>
    public static bool LosesAnswer(HttpContext context)
    {
        if (!context.Items.ContainsKey(LostAnswer))
        {
            return false;
        }

        Reset(context);
        return true;
    }

    private Task ClockAsync(ConnectionContext connection, ConnectionDelegate next) =>
        ArrivalClock.ServeAsync(connection, () => _latency.Before(TimeSpan.Zero, ILatency.WakesOfRead), next);

    // A write gets its latency elsewhere, between begin and stored.
    private static (FaultPoint? Point, EmulatedOperation? Operation) Classify(BlobRequest request)
    {
        if (request.Blob is null)
        {
            return request.Query("comp") == "list" ? (FaultPoint.BlobList, EmulatedOperation.BlobList) : (null, null);
        }

        var kind = CheckpointBlobName.TryParse(request.Blob, out var parts) ? parts.Kind : (CheckpointBlobKind?)null;
        return (request.Method, kind) switch
        {
            ("PUT", CheckpointBlobKind.Checkpoint) => (FaultPoint.CheckpointWrite, null),
            ("PUT", null) => (FaultPoint.BlobWrite, null),
            ("PUT", _) => (FaultPoint.OwnershipWrite, EmulatedOperation.OwnershipWrite),
            ("DELETE", _) => (FaultPoint.BlobDelete, EmulatedOperation.BlobDelete),
            (_, CheckpointBlobKind.Checkpoint) => (FaultPoint.CheckpointRead, EmulatedOperation.BlobRead),
            _ => (FaultPoint.BlobRead, EmulatedOperation.BlobRead),
        };
    }

    private async ValueTask<BlobFailure?> TryInjectAsync(BlobRequest request, FaultPoint point)
    {
        var context = request.Context;
        var target = new FaultTarget(FaultTarget.Blobs, request.Container, Detail: request.Blob);
        var fault = await engine.TryInjectAsync(point, target, context.RequestAborted);
        switch (fault?.Action)
        {
            case FaultAction.Refuse:
                return Refusal(fault, context);
            case FaultAction.Drop when fault.AfterBytes > 0:
                context.Response.Body = new CutBody(context.Response.Body, fault.AfterBytes, () => Reset(context));
                return null;
            case FaultAction.Drop:
                throw Gone(context);
            case FaultAction.BlackHole:
                await engine.WaitAsync(fault.SilentFor, context.RequestAborted);
                throw Gone(context);
            case FaultAction.LoseAnswer:
                context.Items[LostAnswer] = LostAnswer;
                return null;
            case FaultAction.Corrupt when HttpMethods.IsPut(request.Method):
                context.Request.Body = new CorruptBody(context.Request.Body);
                return null;
            case FaultAction.Corrupt:
                context.Response.Body = new CorruptBody(context.Response.Body);
                return null;
            case FaultAction.Steal:
                request.ReplaceHeader(OwnerHeader, "somebody-else");
                return null;
            default:
                return null;
        }
    }

    private static BlobFailure Refusal(FaultRule fault, HttpContext context)
    {
        if (fault.RetryAfterSeconds is { } seconds)
        {
            context.Response.Headers.RetryAfter = Math.Ceiling(seconds).ToString(System.Globalization.CultureInfo.InvariantCulture);
        }

        var refusal = fault.Reason.Blob;
        return refusal with { Status = fault.Status ?? refusal.Status, RetryAfter = TimeSpan.FromSeconds(fault.RetryAfterSeconds ?? 1) };
    }

    private static OperationCanceledException Gone(HttpContext context)
    {
        Reset(context);
        return new OperationCanceledException("A fault ended the connection.");
    }

    private static void Reset(HttpContext context)
    {
        if (context.Features.Get<IConnectionSocketFeature>()?.Socket is { } socket)
        {
            socket.LingerState = new System.Net.Sockets.LingerOption(enable: true, seconds: 0);
        }

        context.Abort();
    }
}
