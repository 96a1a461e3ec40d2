using System.Collections.Concurrent;
using EventHubThroughput.Testing;
using Lite = global::Amqp;

namespace EventHubThroughput.Interop;

/// <summary>
/// AMQPNetLite's listener in this process. It keeps the messages sent to <c>box</c> for any reader, and answers those sent to <c>judge</c> with the
/// outcome that their subject names.
/// </summary>
internal sealed class LiteServer : IDisposable
{
    public const string Box = "box";
    public const string Judge = "judge";

    private readonly Lite.Listener.ContainerHost host;

    private LiteServer(Lite.Listener.ContainerHost host, int port)
    {
        this.host = host;
        Port = port;
    }

    public int Port { get; }

    public static LiteServer Start()
    {
        // It does not report which port the system chose. So one is named, until no other program has taken it meanwhile.
        for (var attempt = 1; ; attempt++)
        {
            var port = FreePort.Next();
            Lite.Listener.ContainerHost container = new(new Lite.Address($"amqp://127.0.0.1:{port}"));
            container.Listeners[0].SASL.EnableAnonymousMechanism = true;
            container.Listeners[0].SASL.EnablePlainMechanism("user", "secret");
            container.Listeners[0].AMQP.MaxFrameSize = 4_096;
            BlockingCollection<Lite.Message> kept = [];
            container.RegisterMessageProcessor(Box, new Keeping(kept));
            container.RegisterMessageSource(Box, new Giving(kept));
            container.RegisterMessageProcessor(Judge, new Judging());
            try
            {
                container.Open();
                return new LiteServer(container, port);
            }
            catch (System.Net.Sockets.SocketException) when (attempt < 5)
            {
                container.Close();
            }
        }
    }

    public void Dispose() => host.Close();

    private sealed class Keeping(BlockingCollection<Lite.Message> kept) : Lite.Listener.IMessageProcessor
    {
        public int Credit => 100;

        public void Process(Lite.Listener.MessageContext messageContext)
        {
            kept.Add(messageContext.Message);
            messageContext.Complete();
        }
    }

    private sealed class Giving(BlockingCollection<Lite.Message> kept) : Lite.Listener.IMessageSource
    {
        public Task<Lite.Listener.ReceiveContext> GetMessageAsync(Lite.Listener.ListenerLink link) =>
            Task.FromResult(kept.TryTake(out var message) ? new Lite.Listener.ReceiveContext(link, message) : null)!;

        public void DisposeMessage(Lite.Listener.ReceiveContext receiveContext, Lite.Listener.DispositionContext dispositionContext) =>
            dispositionContext.Complete();
    }

    private sealed class Judging : Lite.Listener.IMessageProcessor
    {
        public int Credit => 100;

        public void Process(Lite.Listener.MessageContext messageContext)
        {
            switch (messageContext.Message.Properties.Subject)
            {
                case "accept":
                    messageContext.Complete();
                    break;
                case "reject":
                    messageContext.Complete(new Lite.Framing.Error(new Lite.Types.Symbol("app:bad")) { Description = "no good" });
                    break;
                case "release":
                    messageContext.Link.DisposeMessage(messageContext.Message, new Lite.Framing.Released(), settled: true);
                    break;
                default:
                    messageContext.Link.DisposeMessage(
                        messageContext.Message,
                        new Lite.Framing.Modified { DeliveryFailed = true, UndeliverableHere = true },
                        settled: true
                    );
                    break;
            }
        }
    }
}
